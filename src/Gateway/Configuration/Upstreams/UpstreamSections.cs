using Gateway.Sources.Modbus;
using Gateway.Sources.OpcUa;

namespace Gateway.Host.Configuration.Upstreams;

/// <summary>The elements of <c>Upstreams</c>, whatever their driver.</summary>
internal static class UpstreamSections
{
    public const string Section = "Upstreams";

    private static readonly string[] Drivers = [OpcUaDriver.Key, ModbusDriver.Key];

    private static readonly string[] Common = ["Name", "Driver", "EndpointUrl"];

    private static readonly string[] OfModbus =
    [
        "UnitId", "PollIntervalMs", "RequestTimeoutMs", "MaxRegistersPerRead", "MaxGap", "ByteOrder", "WordOrder",
        "Tags",
    ];

    /// <summary>The keys of a driver's elements.</summary>
    public static IEnumerable<string> Of(SettingsReader settings, string driver) =>
        settings.Elements(Section).Where(key => DriverOf(settings, key) == driver);

    /// <summary>Reports what is wrong with the list as a whole. Once for all drivers.</summary>
    public static void Check(SettingsReader settings)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        foreach (var key in settings.Elements(Section))
        {
            var name = settings.Text($"{key}:Name");
            if (!names.Add(name))
                settings.Error($"{key}:Name", $"'{name}' is there twice");
            var driver = DriverOf(settings, key);
            if (!Drivers.Contains(driver))
                settings.Error(
                    $"{key}:Driver", $"'{driver}' is no driver; drivers are {string.Join(" and ", Drivers)}");
            else
                CheckKeys(settings, key, driver);
        }
    }

    private static void CheckKeys(SettingsReader settings, string key, string driver)
    {
        foreach (var name in settings.Names(key).Except(Common, StringComparer.OrdinalIgnoreCase))
        {
            var isOfModbus = OfModbus.Contains(name, StringComparer.OrdinalIgnoreCase);
            if (isOfModbus != (driver == ModbusDriver.Key) && ConfigurationKeys.IsKnown($"{Section}:N:{name}"))
                settings.Error(
                    $"{key}:{name}", $"is for {key}:Driver={(isOfModbus ? ModbusDriver.Key : OpcUaDriver.Key)}");
        }
    }

    private static string DriverOf(SettingsReader settings, string key) =>
        settings.Text($"{key}:Driver") is { Length: > 0 } text ? text.ToLowerInvariant() : OpcUaDriver.Key;
}
