// Signs requests by which a proxy reads objects from the store.
import type { S3Client } from '@aws-sdk/client-s3'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SignedRead } from '#server/adapters/files/object-store.ts'
import type { S3Settings } from './client.ts'

/** Host of a store without an endpoint of its own. */
const awsHost = (region: string) => `s3.${region}.amazonaws.com`

/**
 * Signs `GET` requests for one name in the bucket of media by AWS Signature Version 4, in headers. Stores accept a signature for
 * 15 minutes. The signed host is that of the endpoint, with the bucket before it unless the bucket is in the path.
 * @returns a function that signs for a full name in the bucket; no request is sent
 */
export function createReadSigner(
  client: S3Client,
  settings: S3Settings,
): (name: string) => Promise<SignedRead> {
  const { accessKeyId, secretAccessKey, region, bucket, endpoint, pathStyle } = settings
  const signer = new SignatureV4({
    credentials: { accessKeyId, secretAccessKey },
    region,
    service: 's3',
    sha256: client.config.sha256,
    uriEscapePath: false,
  })
  const origin = endpoint === '' ? awsHost(region) : new URL(endpoint).host
  const [hostname, folder] = pathStyle ? [origin, `/${bucket}/`] : [`${bucket}.${origin}`, '/']
  return async (name) => {
    const path = folder + name.split('/').map(encodeURIComponent).join('/')
    const { headers } = await signer.sign({
      method: 'GET',
      protocol: 'https:',
      hostname,
      path,
      headers: { host: hostname, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
    })
    return { path, authorization: headers['authorization'] ?? '', date: headers['x-amz-date'] ?? '' }
  }
}
