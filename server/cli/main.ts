// Starts the operator's command line: `npm run admin -- <command>`.
import { resolveDrizzleDirectly } from '#server/module-resolution.ts'

resolveDrizzleDirectly()
const { runCommandLine } = await import('./command-line.ts')
process.exit(await runCommandLine(process.argv.slice(2)))
