using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;

namespace Gateway.Operations.Tests;

internal sealed class TestOwner : IBrowsePointOwner
{
    public ContinuationPoints<BrowseCursor> BrowsePoints { get; } = new();
}
