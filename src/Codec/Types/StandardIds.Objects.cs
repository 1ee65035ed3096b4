namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class Objects
    {
        public const uint RootFolder = 84;
        public const uint ObjectsFolder = 85;
        public const uint TypesFolder = 86;
        public const uint ViewsFolder = 87;
        public const uint ObjectTypesFolder = 88;
        public const uint VariableTypesFolder = 89;
        public const uint DataTypesFolder = 90;
        public const uint ReferenceTypesFolder = 91;
        public const uint EventTypesFolder = 3048;
        public const uint InterfaceTypes = 17708;
        public const uint Server = 2253;
        public const uint Server_ServerCapabilities = 2268;
        public const uint Server_ServerCapabilities_OperationLimits = 11704;
        public const uint Server_ServerCapabilities_ModellingRules = 2996;
        public const uint Server_ServerCapabilities_AggregateFunctions = 2997;
        public const uint Server_ServerCapabilities_RoleSet = 15606;
        public const uint Server_ServerDiagnostics = 2274;
        public const uint Server_VendorServerInfo = 2295;
        public const uint Server_ServerRedundancy = 2296;
        public const uint Server_Namespaces = 11715;
        public const uint ModellingRule_Mandatory = 78;
        public const uint ModellingRule_Optional = 80;
        public const uint ModellingRule_ExposesItsArray = 83;
        public const uint ModellingRule_OptionalPlaceholder = 11508;
        public const uint ModellingRule_MandatoryPlaceholder = 11510;
        public const uint Locations = 31915;
        public const uint HistoryServerCapabilities = 11192;
        public const uint DefaultBinary = 3062;
        public const uint DefaultXml = 3063;
        public const uint PublishSubscribe = 14443;
        public const uint ServerConfiguration = 12637;
        public const uint KeyCredentialConfiguration = 18155;
        public const uint AuthorizationServices = 17732;
        public const uint UserManagement = 24290;
        public const uint Resources = 24226;
        public const uint ServerLog = 19372;
        public const uint Aliases = 23470;
        public const uint DefaultHAConfiguration = 32637;
        public const uint DefaultHEConfiguration = 32754;
        public const uint WellKnownRole_Anonymous = 15644;
        public const uint WellKnownRole_AuthenticatedUser = 15656;
        public const uint WellKnownRole_TrustedApplication = 18625;
        public const uint WellKnownRole_Observer = 15668;
        public const uint WellKnownRole_Operator = 15680;
        public const uint WellKnownRole_Engineer = 16036;
        public const uint WellKnownRole_Supervisor = 15692;
        public const uint WellKnownRole_ConfigureAdmin = 15716;
        public const uint WellKnownRole_SecurityAdmin = 15704;
    }
}
