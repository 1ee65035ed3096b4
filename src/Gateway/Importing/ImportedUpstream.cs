using System.Text.Json.Nodes;

namespace Gateway.Host.Importing;

/// <summary>A server of the file, however many of its entries name it.</summary>
internal sealed class ImportedUpstream
{
    /// <summary>Of <c>Upstreams:N:PublishingIntervalMs</c>.</summary>
    private const double LeastMs = 10;

    private const double MostMs = 3_600_000;

    public required string Name { get; init; }

    public required string EndpointUrl { get; init; }

    public string SecurityPolicy { get; init; } = string.Empty;

    public string SecurityMode { get; init; } = string.Empty;

    public string User { get; init; } = string.Empty;

    /// <summary>Empty: it is to come from somewhere else.</summary>
    public string Password { get; init; } = string.Empty;

    /// <summary>The fastest that any of its nodes asks for.</summary>
    public double FastestMs { get; set; } = double.PositiveInfinity;

    public JsonObject ToJson()
    {
        var json = new JsonObject { [nameof(Name)] = Name, [nameof(EndpointUrl)] = EndpointUrl };
        Add(json, nameof(SecurityPolicy), SecurityPolicy);
        Add(json, nameof(SecurityMode), SecurityMode);
        Add(json, nameof(User), User);
        Add(json, nameof(Password), Password);
        if (double.IsFinite(FastestMs))
            json["PublishingIntervalMs"] = Math.Clamp(FastestMs, LeastMs, MostMs);
        return json;
    }

    private static void Add(JsonObject json, string name, string text)
    {
        if (text.Length > 0)
            json[name] = text;
    }
}
