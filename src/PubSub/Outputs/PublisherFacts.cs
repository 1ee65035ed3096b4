namespace Gateway.PubSub.Outputs;

/// <summary>The publisher to its subscribers.</summary>
/// <param name="PublisherId">On every broker.</param>
/// <param name="ApplicationUri">Of the gateway.</param>
/// <param name="ApplicationName">Of the gateway.</param>
public sealed record PublisherFacts(string PublisherId, string ApplicationUri, string ApplicationName);
