using Gateway.Operations.Access;

namespace Gateway.Operations.Tests;

/// <summary>A request that waits, and whose user may change meanwhile.</summary>
internal sealed class TestRequester(Caller caller) : IRequester
{
    public Caller Caller { get; } = caller;

    public bool IsUserChanged => !ReferenceEquals(Caller, PresentCaller);

    public Caller PresentCaller { get; set; } = caller;
}
