// A bare `ws` server that sends each message it receives to every client.
import { createServer } from 'node:http'
import { WebSocket, WebSocketServer } from 'ws'

const [port = ''] = process.argv.slice(2)
const sockets = new WebSocketServer({ noServer: true })
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (part: Buffer) => (text += part.toString()))
  request.on('end', () => {
    for (const it of sockets.clients) if (it.readyState === WebSocket.OPEN) it.send(text)
    response.end('{}')
  })
})
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (it) => sockets.emit('connection', it, request)),
)
server.listen(Number(port), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
