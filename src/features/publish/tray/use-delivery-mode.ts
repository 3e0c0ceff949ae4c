// useDeliveryMode: whether deliveries continue after the app is closed.
import { useEffect, useState } from 'react'
import { deliveryMode, type DeliveryMode } from '#src/sw-bridge.ts'

/** Undefined until the browser has reported it. */
export function useDeliveryMode(): DeliveryMode | undefined {
  const [mode, setMode] = useState<DeliveryMode>()
  useEffect(() => void deliveryMode().then(setMode), [])
  return mode
}
