using Gateway.Publish;

namespace Gateway.Host.Configuration;

/// <summary>What limits say about each other.</summary>
internal static class LimitsCheck
{
    public static void Check(PublishLimits limits, SettingsReader settings)
    {
        // Part 4 §5.14.5: a session holds more Publish requests than it has subscriptions, or some of them starve.
        if (limits.MaxPublishRequestsPerSession <= limits.MaxSubscriptionsPerSession)
            settings.Error(
                $"{LimitsReader.Section}:{nameof(limits.MaxPublishRequestsPerSession)}",
                $"{limits.MaxPublishRequestsPerSession} is not more than " +
                $"{nameof(limits.MaxSubscriptionsPerSession)} {limits.MaxSubscriptionsPerSession}");
    }
}
