using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Reverse;

namespace Gateway.Host.Configuration.Upstreams;

/// <summary>Reads the elements of <c>Upstreams</c> that are OPC UA servers.</summary>
internal static class UpstreamReader
{
    public static UpstreamOptions[] Read(SettingsReader settings)
    {
        var upstreams = new List<(string Section, UpstreamOptions Options)>();
        UpstreamSections.Check(settings);
        foreach (var key in UpstreamSections.Of(settings, OpcUaDriver.Key))
        {
            var options = Upstream(settings, key);
            settings.Errors.AddRange(options.Validate(key));
            upstreams.Add((key, options));
        }

        settings.Errors.AddRange(ReverseNames.Validate(upstreams));
        if (upstreams.Exists(static one => one.Options.ReverseConnect) &&
            settings.Text("ReverseConnect:Port") is "" or "0")
            settings.Error("ReverseConnect:Port", "is missing: an upstream has ReverseConnect=true");
        return [.. upstreams.Select(static one => one.Options)];
    }

    /// <summary>Where servers connect to.</summary>
    public static ReverseConnectOptions ReadReverse(SettingsReader settings) => new(
        settings.Text("ReverseConnect:Port") is "" or "0"
            ? null
            : EndPointReader.Read(settings, "ReverseConnect", 4841, EndPointReader.AnyAddress));

    private static UpstreamOptions Upstream(SettingsReader settings, string key)
    {
        var byDefault = new UpstreamOptions();
        var profile = settings.Named($"{key}:Profile", byDefault.Profile);
        if (UpstreamProfiles.Find(profile) is not { } budget)
        {
            settings.Error(
                $"{key}:Profile", $"'{profile}' is not one of {string.Join(", ", UpstreamProfiles.Names)}");
            budget = UpstreamProfiles.Default;
        }

        return new UpstreamOptions
        {
            Name = settings.Text($"{key}:Name"),
            EndpointUrl = settings.Text($"{key}:EndpointUrl"),
            ReverseConnect = settings.Flag($"{key}:ReverseConnect", false),
            ServerUri = settings.Text($"{key}:ServerUri"),
            BackupUrls = settings.List($"{key}:BackupUrls"),
            Standby = settings.Text($"{key}:Standby", byDefault.Standby),
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
            Events = settings.Flag($"{key}:Events", byDefault.Events),
            DriftGuard = settings.Flag($"{key}:DriftGuard", byDefault.DriftGuard),
            MaxNodes = settings.Number($"{key}:MaxNodes", byDefault.MaxNodes, 1, int.MaxValue),
            Profile = profile,
            MaxItems = settings.Number($"{key}:MaxItems", budget.MaxItems, 0, 1_000_000),
            MaxConcurrentRequests =
                settings.Number($"{key}:MaxConcurrentRequests", budget.MaxConcurrentRequests, 1, 100),
            MaxRequestsPerSecond =
                settings.Number($"{key}:MaxRequestsPerSecond", budget.MaxRequestsPerSecond, 1, 100_000),
            MaxReadsPerSecond = settings.Number($"{key}:MaxReadsPerSecond", budget.MaxReadsPerSecond, 1, 10_000_000),
        };
    }
}
