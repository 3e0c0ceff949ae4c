// A bare `ws` relay: each request is sent to one socket.
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

const [port = ''] = process.argv.slice(2)
const sockets = new WebSocketServer({ noServer: true })
const byPath = new Map<string, WebSocket>()
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (part: Buffer) => (text += part.toString()))
  request.on('end', () => {
    const socket = byPath.get(request.url ?? '')
    if (socket?.readyState === WebSocket.OPEN) socket.send(text)
    response.end('{}')
  })
})
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (it) => byPath.set(request.url ?? '', it)),
)
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
