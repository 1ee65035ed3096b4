namespace Gateway.Operations.Access;

/// <summary>Whom a request that waits for a source is for: the caller that it arrived from, and the present one, who
/// may be another by the time the source answers (R16).</summary>
public interface IRequester
{
    Caller Caller { get; }

    /// <summary>Then the lesser of the two callers' permissions holds.</summary>
    bool IsUserChanged { get; }

    Caller PresentCaller { get; }
}
