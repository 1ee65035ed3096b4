namespace Gateway.Rest;

/// <summary>Every limit of one request of the resource API, each finite; keys below <c>Limits:</c>. Sizes and rates of
/// HTTP itself: <see cref="Transport.Http.HttpLimits"/>.</summary>
public sealed class RestLimits
{
    /// <summary>Nodes that one request reads, writes or watches (400).</summary>
    public int MaxHttpNodes { get; init; } = 10_000;

    /// <summary>Nodes in one page of a list; a larger limit is cut to it.</summary>
    public int MaxHttpPageNodes { get; init; } = 1_000;

    /// <summary>From the complete request to the answer of the last source (504).</summary>
    public TimeSpan HttpRequestTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Bytes of request bodies that are held at one time (503).</summary>
    public long MaxHttpBodiesBytes { get; init; } = 64L * 1024 * 1024;
}
