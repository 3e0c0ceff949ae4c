// Starts the server.
import { resolveDrizzleDirectly } from './module-resolution.ts'

resolveDrizzleDirectly()
const { serve } = await import('./serve.ts')
await serve()
