// Outlets and ports that SNMP switches, as data: a row names the objects of one MIB.
// `{outlet}` stands for the outlet as the rack file gives it.

/** An integer object that switches, and one that reports. */
export interface OutletObjects {
  readonly set: string;
  readonly on: number;
  readonly off: number;
  /** Absent where the state cannot be queried. */
  readonly read?: string;
  /** Values of `read`; default those of `on` and `off`. */
  readonly isOn?: number;
  readonly isOff?: number;
}

export const snmpModels = {
  /** PowerNet-MIB: rPDUOutletControlOutletCommand, rPDUOutletStatusOutletState. AP79xx. */
  "apc-rpdu": {
    set: "1.3.6.1.4.1.318.1.1.12.3.3.1.1.4.{outlet}",
    on: 1,
    off: 2,
    read: "1.3.6.1.4.1.318.1.1.12.3.5.1.1.4.{outlet}",
  },
  /** PowerNet-MIB: rPDU2OutletSwitchedControlCommand, rPDU2OutletSwitchedStatusState: off(1), on(2). AP86xx, AP89xx. */
  "apc-rpdu2": {
    set: "1.3.6.1.4.1.318.1.1.26.9.2.4.1.5.{outlet}",
    on: 1,
    off: 2,
    read: "1.3.6.1.4.1.318.1.1.26.9.2.3.1.5.{outlet}",
    isOn: 2,
    isOff: 1,
  },
  /** CPS-MIB: ePDUOutletControlOutletCommand, ePDUOutletStatusOutletState. */
  cyberpower: {
    set: "1.3.6.1.4.1.3808.1.1.3.3.3.1.1.4.{outlet}",
    on: 1,
    off: 2,
    read: "1.3.6.1.4.1.3808.1.1.3.3.5.1.1.4.{outlet}",
  },
  /** PDU2-MIB: switchingOperation, outletSwitchingState, both of the first PDU behind an agent. */
  raritan: {
    set: "1.3.6.1.4.1.13742.6.4.1.2.1.2.1.{outlet}",
    on: 1,
    off: 0,
    read: "1.3.6.1.4.1.13742.6.4.1.2.1.3.1.{outlet}",
    isOn: 7,
    isOff: 8,
  },
  /** POWER-ETHERNET-MIB of RFC 3621: pethPsePortAdminEnable, a TruthValue; the outlet is GROUP.PORT of a PoE switch. */
  "power-ethernet": {
    set: "1.3.6.1.2.1.105.1.1.1.3.{outlet}",
    on: 1,
    off: 2,
    read: "1.3.6.1.2.1.105.1.1.1.3.{outlet}",
  },
} as const satisfies Readonly<Record<string, OutletObjects>>;

export type SnmpModel = keyof typeof snmpModels;
