import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
}

/**
 * A self-signed certificate for 127.0.0.1, made anew for each test run so that no private key lies in the repository.
 *
 * Source: RFC 5280, section 4.1 (structure), 4.2.1.6 (subject alternative name); X.690 (DER).
 */
export const createCertificate = (
  address: readonly number[] = [127, 0, 0, 1],
  validUntil = new Date(Date.now() + 86_400_000),
  /** Who signs it; default: it signs itself. */
  issuer?: Certificate,
): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('test server')))));
  const alternativeNames = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x87, Buffer.from(address)))));
  const mayIssue = sequence(oid(0x55, 0x1d, 0x13), der(0x01, Buffer.from([0xff])), der(0x04, constraints()));
  const signatureAlgorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    signatureAlgorithm,
    name,
    sequence(utcTime(new Date(validUntil.getTime() - 2 * 86_400_000)), utcTime(validUntil)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames, mayIssue)),
  );
  const signature = createSign('SHA256')
    .update(toBeSigned)
    .sign(issuer?.key ?? privateKey);
  const certificate = sequence(toBeSigned, signatureAlgorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
};

/** basicConstraints, critical: CA. */
const constraints = (): Buffer => der(0x30, Buffer.from([0x01, 0x01, 0xff]));

const der = (tag: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([tag]), lengthOf(content), content]);

const lengthOf = ({ length }: Buffer): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
};

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts));
const oid = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const utcTime = (time: Date): Buffer => der(0x17, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
