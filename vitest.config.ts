// Two runners: unit tests, and the seeded simulation of the upload queue.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,device,sw,src,server,tools}/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'sim', include: ['sw/**/*.sim.ts'], testTimeout: 600_000 } },
    ],
  },
})
