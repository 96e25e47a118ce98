import { isBuiltIn } from '../../kubernetes/built-in-groups.ts';
import type { KubernetesObject } from '../../kubernetes/object.ts';
import { qualifiedName, type Resource } from '../../kubernetes/resource.ts';
import type { Column } from './column.ts';
import { configMapColumns } from './kinds/config-map.ts';
import { controllerRevisionColumns } from './kinds/controller-revision.ts';
import { createdAtColumns } from './kinds/created-at.ts';
import { cronJobColumns } from './kinds/cron-job.ts';
import { csiDriverColumns } from './kinds/csi-driver.ts';
import { csiNodeColumns } from './kinds/csi-node.ts';
import { customResourceColumns } from './kinds/custom-resource.ts';
import { daemonSetColumns } from './kinds/daemon-set.ts';
import { deploymentColumns } from './kinds/deployment.ts';
import { endpointSliceColumns } from './kinds/endpoint-slice.ts';
import { endpointsColumns } from './kinds/endpoints.ts';
import { eventColumns } from './kinds/event.ts';
import { horizontalPodAutoscalerColumns } from './kinds/horizontal-pod-autoscaler.ts';
import { ingressClassColumns } from './kinds/ingress-class.ts';
import { ingressColumns } from './kinds/ingress.ts';
import { jobColumns } from './kinds/job.ts';
import { leaseColumns } from './kinds/lease.ts';
import { namespaceColumns } from './kinds/namespace.ts';
import { networkPolicyColumns } from './kinds/network-policy.ts';
import { nodeColumns } from './kinds/node.ts';
import { persistentVolumeClaimColumns } from './kinds/persistent-volume-claim.ts';
import { persistentVolumeColumns } from './kinds/persistent-volume.ts';
import { podDisruptionBudgetColumns } from './kinds/pod-disruption-budget.ts';
import { podTemplateColumns } from './kinds/pod-template.ts';
import { podColumns } from './kinds/pod.ts';
import { priorityClassColumns } from './kinds/priority-class.ts';
import { replicaSetColumns } from './kinds/replica-set.ts';
import { replicationControllerColumns } from './kinds/replication-controller.ts';
import { resourceQuotaColumns } from './kinds/resource-quota.ts';
import { roleBindingColumns } from './kinds/role-binding.ts';
import { runtimeClassColumns } from './kinds/runtime-class.ts';
import { secretColumns } from './kinds/secret.ts';
import { serviceAccountColumns } from './kinds/service-account.ts';
import { serviceColumns } from './kinds/service.ts';
import { statefulSetColumns } from './kinds/stateful-set.ts';
import { storageClassColumns } from './kinds/storage-class.ts';
import { validatingAdmissionPolicyColumns } from './kinds/validating-admission-policy.ts';
import { volumeAttachmentColumns } from './kinds/volume-attachment.ts';
import { webhookConfigurationColumns } from './kinds/webhook-configuration.ts';

const columnsByResource: Readonly<Record<string, readonly Column[]>> = {
  configmaps: configMapColumns,
  endpoints: endpointsColumns,
  events: eventColumns,
  namespaces: namespaceColumns,
  nodes: nodeColumns,
  persistentvolumeclaims: persistentVolumeClaimColumns,
  persistentvolumes: persistentVolumeColumns,
  pods: podColumns,
  podtemplates: podTemplateColumns,
  replicationcontrollers: replicationControllerColumns,
  resourcequotas: resourceQuotaColumns,
  secrets: secretColumns,
  serviceaccounts: serviceAccountColumns,
  services: serviceColumns,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationColumns,
  'validatingadmissionpolicies.admissionregistration.k8s.io': validatingAdmissionPolicyColumns,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationColumns,
  'controllerrevisions.apps': controllerRevisionColumns,
  'daemonsets.apps': daemonSetColumns,
  'deployments.apps': deploymentColumns,
  'replicasets.apps': replicaSetColumns,
  'statefulsets.apps': statefulSetColumns,
  'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerColumns,
  'cronjobs.batch': cronJobColumns,
  'jobs.batch': jobColumns,
  'leases.coordination.k8s.io': leaseColumns,
  'endpointslices.discovery.k8s.io': endpointSliceColumns,
  'ingressclasses.networking.k8s.io': ingressClassColumns,
  'ingresses.networking.k8s.io': ingressColumns,
  'networkpolicies.networking.k8s.io': networkPolicyColumns,
  'runtimeclasses.node.k8s.io': runtimeClassColumns,
  'poddisruptionbudgets.policy': podDisruptionBudgetColumns,
  'clusterrolebindings.rbac.authorization.k8s.io': roleBindingColumns,
  'rolebindings.rbac.authorization.k8s.io': roleBindingColumns,
  'priorityclasses.scheduling.k8s.io': priorityClassColumns,
  'csidrivers.storage.k8s.io': csiDriverColumns,
  'csinodes.storage.k8s.io': csiNodeColumns,
  'storageclasses.storage.k8s.io': storageClassColumns,
  'volumeattachments.storage.k8s.io': volumeAttachmentColumns,
};

/** What is printed of a resource. */
export const columnsOf = (resource: Resource, definition: KubernetesObject | undefined): readonly Column[] =>
  columnsByResource[qualifiedName(resource)] ?? (isBuiltIn(resource) ? createdAtColumns : customResourceColumns(resource, definition));
