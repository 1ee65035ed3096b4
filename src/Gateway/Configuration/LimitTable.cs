using System.Reflection;

namespace Gateway.Host.Configuration;

/// <summary>All limits by their key below <c>Limits:</c>: what refusals are explained with.</summary>
internal static class LimitTable
{
    public static IReadOnlyDictionary<string, object> Of(GatewaySettings settings)
    {
        var table = new Dictionary<string, object>(StringComparer.Ordinal);
        object[] owners =
        [
            settings.TransportLimits, settings.HttpLimits, settings.ServerLimits, settings.PublishLimits,
            settings.AdmissionLimits, settings.LogLimits, settings.UpstreamLimits,
        ];
        foreach (var owner in owners)
        {
            foreach (var property in owner.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
            {
                if (property.SetMethod is not null && property.GetValue(owner) is { } value)
                    table[property.Name] = value;
            }
        }
        return table;
    }
}
