// `npm run bench -- <name>`: figures beside their baselines, measured in one run.
import { benchUpload } from './upload.ts'

const benches: Record<string, () => Promise<void>> = { upload: benchUpload }

const name = process.argv[2] ?? 'upload'
const bench = benches[name]
if (bench) await bench()
else {
  console.error(`no bench is called ${name}; there is: ${Object.keys(benches).join(', ')}`)
  process.exitCode = 2
}
