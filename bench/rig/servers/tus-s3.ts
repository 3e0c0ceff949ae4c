// Receives uploads by @tus/server and @tus/s3-store, as a process of its own.
import { createServer } from 'node:http'
import { S3Store } from '@tus/s3-store'
import { Server } from '@tus/server'

const env = (name: string): string => process.env[name] ?? ''

const datastore = new S3Store({
  partSize: 5 * 1024 * 1024,
  minPartSize: 5 * 1024 * 1024,
  useTags: false,
  s3ClientConfig: {
    bucket: env('S3_BUCKET'),
    endpoint: env('S3_ENDPOINT'),
    region: env('S3_REGION'),
    forcePathStyle: true,
    credentials: { accessKeyId: env('S3_ACCESS_KEY_ID'), secretAccessKey: env('S3_SECRET_ACCESS_KEY') },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  },
})
const server = new Server({ path: '/upload-chunking-2', datastore, relativeLocation: true })
createServer((request, response) => void server.handle(request, response)).listen(
  Number(env('PORT')),
  '127.0.0.1',
)
