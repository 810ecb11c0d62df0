// Which certificate the gateway shows: recorded, pinned for the run, and compared with the profile.
import { type PeerCertificate, TLSSocket } from "node:tls";
import { buildConnector } from "undici";
import type { DeclaredTls } from "../profile/profile.ts";
import type { TlsCertificate } from "../../record/index.ts";

export const tlsErrorCode = "TLS_IDENTITY";

/** The certificate of one gateway: what it showed, and whether that may be another one now. */
export class TlsIdentity {
  /** Every certificate shown, in order. */
  readonly shown: TlsCertificate[] = [];
  readonly #declared: DeclaredTls;
  #mayChange = false;

  constructor(declared: DeclaredTls) {
    this.#declared = declared;
  }

  /** The suite is about to do what may give the gateway another certificate; from then on changes are only recorded. */
  expectChange(): void {
    this.#mayChange = true;
  }

  /** How connections are made: one that shows a wrong certificate carries no byte of a request. */
  connector(): buildConnector.connector {
    const connect = buildConnector({
      // Gateways serve certificates of their own making; without a declared authority any of them is taken.
      rejectUnauthorized: this.#declared.ca !== undefined,
      // A resumed session shows no certificate.
      maxCachedSessions: 0,
      ...(this.#declared.ca === undefined ? {} : { ca: this.#declared.ca }),
    });
    return (options, callback) => {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        const refuse = (code: string, problem: string): void => {
          socket.destroy();
          callback(Object.assign(new Error(problem), { code }), null);
        };
        if (!(socket instanceof TLSSocket)) return callback(null, socket);
        const certificate = socket.getPeerCertificate();
        if (!("fingerprint256" in certificate))
          return refuse("ECONNRESET", "the connection closed before it showed a certificate");
        const problem = this.#problemOf(certificate);
        return problem === undefined ? callback(null, socket) : refuse(tlsErrorCode, problem);
      });
    };
  }

  #problemOf({ fingerprint256, subject, issuer, valid_to: validTo }: PeerCertificate): string | undefined {
    const fingerprint = fingerprint256.replaceAll(":", "");
    if (this.shown.some((one) => one.fingerprint === fingerprint)) return undefined;
    const last = this.shown.at(-1);
    const { fingerprint: declared } = this.#declared;
    if (!this.#mayChange && declared !== undefined && declared !== fingerprint)
      return `the certificate has the fingerprint ${fingerprint}, expected the declared ${declared}`;
    if (!this.#mayChange && declared === undefined && last !== undefined)
      return `the certificate changed during the run: fingerprint ${fingerprint}, before ${last.fingerprint}`;
    this.shown.push({
      fingerprint,
      subject: nameOf(subject),
      issuer: nameOf(issuer),
      validTo,
    });
    return undefined;
  }
}

function nameOf(name: object | undefined): string {
  return Object.entries(name ?? {})
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(", ");
}
