// Measures the CSV file of a creator's sales.
import { creatorToken, PURCHASES } from './money-data.ts'
import type { Product } from './product.ts'

/** Downloads all sales as CSV, in both encodings, and shows the rate and the memory that the server takes for it. */
export async function measureSalesFile({ url, peakDuring }: Product, rounds: number): Promise<void> {
  for (const encoding of ['utf-8', 'shift_jis']) {
    for (let round = 1; round <= rounds; round += 1) {
      const began = performance.now()
      const { result: bytes, peak } = await peakDuring(async () => {
        const reply = await fetch(`${url}/api/sales/entries.csv?encoding=${encoding}`, {
          headers: { authorization: `Bearer ${creatorToken}` },
        })
        let length = 0
        for await (const part of reply.body ?? []) length += (part as Uint8Array).length
        return length
      })
      const rate = Math.round((PURCHASES * 1000) / (performance.now() - began))
      const megabytes = (it: number) => `${(it / 2 ** 20).toFixed(1)} MB`
      console.log(
        `file of ${PURCHASES} sales, ${encoding}, round ${round}: ${rate} rows/s, ${megabytes(bytes)}, memory + ${megabytes(peak)}`,
      )
    }
  }
}
