// Sends any bytes to a proxy by TLS, also those that are no request.
import { connect } from 'node:tls'
import { certificate } from './nginx.ts'

/** @returns what came back until the connection ended */
export function rawRequest(origin: string, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(origin)
    let received = ''
    const socket = connect({ host: hostname, port: Number(port), ca: certificate }, () => socket.write(bytes))
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      received += String(text)
      // nginx waits for the rest of a body that it has refused.
      socket.end()
    })
    // A proxy may reset the connection while the rest of a refused request is on its way.
    socket.on('error', () => undefined).on('close', () => resolve(received))
  })
}
