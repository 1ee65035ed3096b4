namespace Gateway.Operations.Access;

/// <summary>The users of a request that waits for a source: the caller at its arrival, and the present one, which may
/// be another when the source answers (R16).</summary>
public interface IRequester
{
    Caller Caller { get; }

    /// <summary>If true, an operation needs the permission of both callers.</summary>
    bool IsUserChanged { get; }

    Caller PresentCaller { get; }
}
