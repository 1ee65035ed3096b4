using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Outputs;

/// <summary>The publisher to its subscribers.</summary>
/// <param name="PublisherId">On every broker.</param>
/// <param name="ApplicationUri">Of the gateway.</param>
/// <param name="ApplicationName">Of the gateway.</param>
public sealed record PublisherFacts(string PublisherId, string ApplicationUri, string ApplicationName)
{
    /// <summary>As GetEndpoints tells them.</summary>
    public Func<EndpointDescription[]> Endpoints { get; init; } = static () => [];

    /// <summary>Source: Part 12 Annex D.</summary>
    public static IReadOnlyList<string> Capabilities { get; } = ["DA", "PUB"];

    public ApplicationDescription Description => new()
    {
        ApplicationUri = ApplicationUri,
        ApplicationName = new LocalizedText(ApplicationName),
        ApplicationType = ApplicationType.Server,
    };
}
