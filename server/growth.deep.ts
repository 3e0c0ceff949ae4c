// The growth of every parser for all of the worst characters. `growth.test.ts` takes a sample.
process.env['GROWTH'] = 'whole'
await import('./growth.test.ts')
