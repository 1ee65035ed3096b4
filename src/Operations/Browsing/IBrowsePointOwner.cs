using Gateway.Operations.Continuation;

namespace Gateway.Operations.Browsing;

/// <summary>Owns the continuation points of Browse.</summary>
public interface IBrowsePointOwner
{
    /// <summary>Made when the first is needed: most owners never have one.</summary>
    ContinuationPoints<BrowseCursor> BrowsePoints { get; }

    /// <summary>The same for taking one; null if the owner has none yet.</summary>
    ContinuationPoints<BrowseCursor>? BrowsePointsIfAny => BrowsePoints;
}
