/** The objects of a Kubernetes Job whose pods create the sites of a pack. */

export { type FleetJobOptions, jobObjects, type RequiredSecret, requiredSecrets } from './job-objects.js';
