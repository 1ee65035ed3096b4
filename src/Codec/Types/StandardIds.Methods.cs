namespace Gateway.Codec.Types;

public static partial class StandardIds
{
    public static class Methods
    {
        public const uint Server_GetMonitoredItems = 11492;
        public const uint Server_ResendData = 12873;
        public const uint Server_SetSubscriptionDurable = 12749;
        public const uint Server_RequestServerStateChange = 12886;
    }
}
