namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class Variables
    {
        public const uint Server_ServerArray = 2254;
        public const uint Server_NamespaceArray = 2255;
        public const uint Server_ServerStatus = 2256;
        public const uint Server_ServerStatus_StartTime = 2257;
        public const uint Server_ServerStatus_CurrentTime = 2258;
        public const uint Server_ServerStatus_State = 2259;
        public const uint Server_ServerStatus_BuildInfo = 2260;
        public const uint Server_ServerStatus_BuildInfo_ProductName = 2261;
        public const uint Server_ServerStatus_BuildInfo_ProductUri = 2262;
        public const uint Server_ServerStatus_BuildInfo_ManufacturerName = 2263;
        public const uint Server_ServerStatus_BuildInfo_SoftwareVersion = 2264;
        public const uint Server_ServerStatus_BuildInfo_BuildNumber = 2265;
        public const uint Server_ServerStatus_BuildInfo_BuildDate = 2266;
        public const uint Server_ServiceLevel = 2267;
        public const uint Server_ServerCapabilities_ServerProfileArray = 2269;
        public const uint Server_ServerCapabilities_LocaleIdArray = 2271;
        public const uint Server_ServerCapabilities_MinSupportedSampleRate = 2272;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary = 2275;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_ServerViewCount = 2276;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_CurrentSessionCount = 2277;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_CumulatedSessionCount = 2278;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_SecurityRejectedSessionCount = 2279;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_SessionTimeoutCount = 2281;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_SessionAbortCount = 2282;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_PublishingIntervalCount = 2284;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_CurrentSubscriptionCount = 2285;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_CumulatedSubscriptionCount = 2286;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_SecurityRejectedRequestsCount = 2287;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_RejectedRequestsCount = 2288;
        public const uint Server_ServerDiagnostics_SamplingIntervalDiagnosticsArray = 2289;
        public const uint Server_ServerDiagnostics_SubscriptionDiagnosticsArray = 2290;
        public const uint Server_ServerDiagnostics_EnabledFlag = 2294;
        public const uint Server_ServerCapabilities_MaxBrowseContinuationPoints = 2735;
        public const uint Server_ServerCapabilities_MaxQueryContinuationPoints = 2736;
        public const uint Server_ServerCapabilities_MaxHistoryContinuationPoints = 2737;
        public const uint Server_ServerStatus_SecondsTillShutdown = 2992;
        public const uint Server_ServerStatus_ShutdownReason = 2993;
        public const uint Server_Auditing = 2994;
        public const uint Server_ServerCapabilities_SoftwareCertificates = 3704;
        public const uint Server_ServerDiagnostics_ServerDiagnosticsSummary_RejectedSessionCount = 3705;
        public const uint Server_ServerDiagnostics_SessionsDiagnosticsSummary_SessionDiagnosticsArray = 3707;
        public const uint Server_ServerDiagnostics_SessionsDiagnosticsSummary_SessionSecurityDiagnosticsArray = 3708;
        public const uint Server_ServerRedundancy_RedundancySupport = 3709;
        public const uint Server_ServerCapabilities_MaxArrayLength = 11702;
        public const uint Server_ServerCapabilities_MaxStringLength = 11703;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerRead = 11705;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite = 11707;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerMethodCall = 11709;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse = 11710;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerRegisterNodes = 11711;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerTranslateBrowsePathsToNodeIds = 11712;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerNodeManagement = 11713;
        public const uint Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall = 11714;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerHistoryReadData = 12165;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerHistoryReadEvents = 12166;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerHistoryUpdateData = 12167;
        public const uint Server_ServerCapabilities_OperationLimits_MaxNodesPerHistoryUpdateEvents = 12168;
        public const uint Server_EstimatedReturnTime = 12885;
        public const uint Server_ServerCapabilities_MaxByteStringLength = 12911;
        public const uint Server_UrisVersion = 15004;
        public const uint Server_LocalTime = 17634;
        public const uint Server_ServerCapabilities_MaxSessions = 24095;
        public const uint Server_ServerCapabilities_MaxSubscriptions = 24096;
        public const uint Server_ServerCapabilities_MaxMonitoredItems = 24097;
        public const uint Server_ServerCapabilities_MaxSubscriptionsPerSession = 24098;
        public const uint Server_ServerCapabilities_MaxSelectClauseParameters = 24099;
        public const uint Server_ServerCapabilities_MaxWhereClauseParameters = 24100;
        public const uint Server_ServerCapabilities_ConformanceUnits = 24101;
        public const uint Server_ServerCapabilities_MaxMonitoredItemsPerSubscription = 24104;
        public const uint Server_ServerCapabilities_MaxMonitoredItemsQueueSize = 31916;
    }
}
