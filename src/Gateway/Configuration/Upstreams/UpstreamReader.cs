using Gateway.Sources.OpcUa;

namespace Gateway.Host.Configuration.Upstreams;

/// <summary>Reads the elements of <c>Upstreams</c> that are OPC UA servers.</summary>
internal static class UpstreamReader
{
    public static UpstreamOptions[] Read(SettingsReader settings)
    {
        var upstreams = new List<UpstreamOptions>();
        UpstreamSections.Check(settings);
        foreach (var key in UpstreamSections.Of(settings, OpcUaDriver.Key))
        {
            var options = Upstream(settings, key);
            settings.Errors.AddRange(options.Validate(key));
            upstreams.Add(options);
        }
        return [.. upstreams];
    }

    private static UpstreamOptions Upstream(SettingsReader settings, string key)
    {
        var byDefault = new UpstreamOptions();
        return new UpstreamOptions
        {
            Name = settings.Text($"{key}:Name"),
            EndpointUrl = settings.Text($"{key}:EndpointUrl"),
            SecurityPolicy = settings.Text($"{key}:SecurityPolicy"),
            SecurityMode = settings.Text($"{key}:SecurityMode"),
            User = settings.Text($"{key}:User"),
            Password = settings.Text($"{key}:Password"),
            AllowInsecurePassword = settings.Flag($"{key}:AllowInsecurePassword", false),
            Roots = settings.List($"{key}:Roots"),
            PublishingIntervalMs =
                settings.Milliseconds($"{key}:PublishingIntervalMs", byDefault.PublishingIntervalMs),
            BrowseInterval = settings.Seconds(
                $"{key}:BrowseIntervalSeconds", byDefault.BrowseInterval.TotalSeconds,
                TimeSpan.FromDays(30).TotalSeconds),
            Bridge = settings.Seconds($"{key}:BridgeSeconds", byDefault.Bridge.TotalSeconds, 60),
            MaxNodes = settings.Number($"{key}:MaxNodes", byDefault.MaxNodes, 1, int.MaxValue),
        };
    }
}
