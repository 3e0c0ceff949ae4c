// Starts the server.
import { resolveDirectly } from './module-resolution.ts'

resolveDirectly()
const { serve } = await import('./serve.ts')
await serve()
