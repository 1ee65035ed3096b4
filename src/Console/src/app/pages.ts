import type { ComponentType } from "preact";
import type { Permission } from "../api/types.ts";
import type { IconName } from "../parts/Icon.tsx";

export interface PageRow {
  path: string;
  title: string;
  icon: IconName;
  /** Without it the page is not offered. */
  permission: Permission;
  /** Each page is a file of its own, loaded when it is first shown. */
  load: () => Promise<{ default: ComponentType }>;
}

export const pages: PageRow[] = [
  {
    path: "/",
    title: "Overview",
    icon: "overview",
    permission: "readState",
    load: () => import("../pages/overview/OverviewPage.tsx"),
  },
  {
    path: "/alarms",
    title: "Alarms",
    icon: "alarms",
    permission: "readState",
    load: () => import("../pages/alarms/AlarmsPage.tsx"),
  },
  {
    path: "/clients",
    title: "Clients",
    icon: "clients",
    permission: "readClients",
    load: () => import("../pages/clients/ClientsPage.tsx"),
  },
  {
    path: "/admission",
    title: "Admission",
    icon: "admission",
    permission: "readState",
    load: () => import("../pages/admission/AdmissionPage.tsx"),
  },
  {
    path: "/certificates",
    title: "Certificates",
    icon: "certificates",
    permission: "manageCertificates",
    load: () => import("../pages/certificates/CertificatesPage.tsx"),
  },
  {
    path: "/nodes",
    title: "Address space",
    icon: "nodes",
    permission: "readState",
    load: () => import("../pages/nodes/NodesPage.tsx"),
  },
  {
    path: "/upstreams",
    title: "Upstreams, PubSub",
    icon: "upstreams",
    permission: "readState",
    load: () => import("../pages/upstreams/UpstreamsPage.tsx"),
  },
  {
    path: "/trace",
    title: "Why is there no data?",
    icon: "trace",
    permission: "readState",
    load: () => import("../pages/trace/TracePage.tsx"),
  },
  {
    path: "/configuration",
    title: "Configuration",
    icon: "configuration",
    permission: "readState",
    load: () => import("../pages/configuration/ConfigurationPage.tsx"),
  },
];
