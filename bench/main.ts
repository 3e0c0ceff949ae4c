// `npm run bench -- <name> …`: figures beside their baselines, measured in one run. `kills=10`: that many.
import { benchMemory } from './copying.ts'
import { benchKills } from './kills.ts'
import { benchLifetimes } from './lifetimes.ts'
import { benchResume } from './resume.ts'
import { benchUpload } from './upload.ts'

const benches: Record<string, (count?: number) => Promise<void>> = {
  upload: benchUpload,
  resume: benchResume,
  memory: benchMemory,
  kills: benchKills,
  lifetimes: benchLifetimes,
}

const asked = process.argv.slice(2)
for (const it of asked.length > 0 ? asked : ['upload']) {
  const [name = '', count] = it.split('=')
  const bench = benches[name]
  if (bench) await bench(count === undefined ? undefined : Number(count))
  else {
    console.error(`no bench is called ${name}; there is: ${Object.keys(benches).join(', ')}`)
    process.exitCode = 2
  }
}
