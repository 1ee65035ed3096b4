using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Sessions;

/// <summary>The description that a client gives of itself in CreateSession, cut to a bounded length. Immutable; equal
/// ones are shared by <see cref="ClientFactsCache"/>. Source: Part 4 §5.7.2.</summary>
internal sealed record ClientFacts(
    string ApplicationUri, string? ProductUri, LocalizedText ApplicationName, ApplicationType ApplicationType,
    string? ServerUri, string? EndpointUrl)
{
    private const int MaxTextLength = 512;

    /// <summary>For a caller without a session.</summary>
    public static ClientFacts None { get; } = new(string.Empty, null, default, default, null, null);

    public static ClientFacts Of(CreateSessionRequest request)
    {
        var client = request.ClientDescription;
        var name = client.ApplicationName;
        return new ClientFacts(
            Cut(client.ApplicationUri) ?? string.Empty,
            Cut(client.ProductUri),
            new LocalizedText(Cut(name.Text), Cut(name.Locale)),
            client.ApplicationType,
            Cut(request.ServerUri),
            Cut(request.EndpointUrl));
    }

    public ApplicationDescription ToDescription() => new()
    {
        ApplicationUri = ApplicationUri,
        ProductUri = ProductUri,
        ApplicationName = ApplicationName,
        ApplicationType = ApplicationType,
    };

    private static string? Cut(string? text) => text is { Length: > MaxTextLength } ? text[..MaxTextLength] : text;
}
