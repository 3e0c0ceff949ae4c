// Tests every parser with all worst-case characters; `growth.test.ts` has a sample.
process.env['GROWTH'] = 'whole'
await import('./growth.test.ts')
