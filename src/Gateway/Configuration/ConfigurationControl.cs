using System.Runtime.InteropServices;
using Gateway.Rest.Management;

namespace Gateway.Host.Configuration;

/// <summary>Judges configurations. Threads: any; one judgement at a time.</summary>
internal sealed class ConfigurationControl(ConfigurationLayers current) : IConfigurationControl
{
    private readonly Lock _lock = new();

    public ConfigurationVerdict Check(ReadOnlyMemory<byte> json)
    {
        using var text = TextOf(json);
        lock (_lock)
        {
            try
            {
                return Judge(current.Source.Read(text));
            }
            catch (InvalidDataException error)
            {
                return new() { Errors = [new("", error.Message)] };
            }
        }
    }

    private ConfigurationVerdict Judge(ConfigurationLayers layers)
    {
        var options = new GatewayOptions(layers);
        var errors = options.FindErrors();
        return new()
        {
            Errors = [.. errors.Select(ConfigurationFault.Of)],
            Warnings = errors.Count == 0 ? options.Get<ConfigurationReport>().Warnings : [],
            Changes = errors.Count == 0 ? ConfigurationDiff.Between(current, layers) : [],
        };
    }

    private static MemoryStream TextOf(ReadOnlyMemory<byte> json) =>
        MemoryMarshal.TryGetArray(json, out var bytes)
            ? new(bytes.Array!, bytes.Offset, bytes.Count, writable: false)
            : new(json.ToArray(), writable: false);
}
