import { BlockList, isIPv6 } from 'node:net'

const LINK_LOCAL = new BlockList()
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4')
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6')

/** Whether an IP address is link-local: 169.254.0.0/16 or fe80::/10, also as an IPv4 address within IPv6. False for a name. */
export function isLinkLocal(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  return LINK_LOCAL.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

export function linkLocalWarning(event: string, address: string): string {
  return `webhooks of ${event} go to ${address}, a link-local address: on machines in a cloud, the service that gives out their credentials answers there. If you do not mean it, delete the subscription: partner webhooks delete ${event} --profile sandbox`
}
