// Connects to an S3-compatible object store.
import { S3Client } from '@aws-sdk/client-s3'

export interface S3Settings {
  /** The origin of the store; empty for that of AWS. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Whether the bucket is in the path of an address, and not in its host. */
  readonly pathStyle: boolean
  readonly bucket: string
  /** The bucket of identity documents, for which other people may have keys. */
  readonly identityBucket: string
  /** What each name in the buckets begins with: empty, or ends with a slash. */
  readonly prefix: string
}

/** Tries of a request, with growing pauses of together some 20 s: a store that is restarted answers 503 meanwhile. */
const TRIES = 8
/** Longest wait for a connection, and for the next byte on one, ms. */
const CONNECT_MS = 5000
const SILENCE_MS = 60_000
/** Connections at once. */
const SOCKETS = 128
/** Connections at once of a client that only reads: a slow reader has one for as long as it reads. */
export const READING_SOCKETS = 1024

export interface ClientOptions {
  /** Tries of each request. */
  readonly tries?: number
  /** Connections at once. */
  readonly sockets?: number
}

export function openS3Client(
  settings: S3Settings,
  { tries = TRIES, sockets = SOCKETS }: ClientOptions = {},
): S3Client {
  const { accessKeyId, secretAccessKey } = settings
  return new S3Client({
    ...(settings.endpoint && { endpoint: settings.endpoint }),
    region: settings.region,
    forcePathStyle: settings.pathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Stores other than AWS know no checksums of its newer kinds; their bytes have a SHA-256 that is signed (`digests.ts`).
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: tries,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { maxSockets: sockets, keepAlive: true },
      httpsAgent: { maxSockets: sockets, keepAlive: true },
    },
  })
}
