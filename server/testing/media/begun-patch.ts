// A PATCH of an upload whose bytes the test writes by itself.
import net from 'node:net'

/** Begins a PATCH of 1,000 bytes at offset 0. @returns its connection, on which the bytes are written */
export function beginPatch(origin: string, id: string, headers: Record<string, string>): net.Socket {
  const socket = net.connect(Number(new URL(origin).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = [
    `PATCH /upload-chunking-2/${id} HTTP/1.1`,
    'Host: x',
    `Authorization: ${headers['authorization']}`,
    'Tus-Resumable: 1.0.0',
    'Upload-Offset: 0',
    'Content-Type: application/offset+octet-stream',
    'Content-Length: 1000',
    '\r\n',
  ]
  socket.write(head.join('\r\n'))
  return socket
}
