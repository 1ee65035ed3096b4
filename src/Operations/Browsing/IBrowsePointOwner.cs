using Gateway.Operations.Continuation;

namespace Gateway.Operations.Browsing;

/// <summary>Keeps what a Browse has left.</summary>
public interface IBrowsePointOwner
{
    /// <summary>Made when the first is needed: most owners never have one.</summary>
    ContinuationPoints<BrowseCursor> BrowsePoints { get; }
}
