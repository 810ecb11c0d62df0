/** Identity of the device, which survives every reset. */
export interface Identity {
  readonly model: string;
  readonly tpeversion: string;
  readonly serialNumber: string;
  /** Version of the software, shown in the OpenAPI document and on the console. */
  readonly version: string;
}
