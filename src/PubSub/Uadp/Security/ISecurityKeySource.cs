namespace Gateway.PubSub.Uadp.Security;

/// <summary>Where the keys of one SecurityGroup come from: a file, or a Security Key Service (GetSecurityKeys).
/// Threads: any. Source: Part 14 §8.3.</summary>
public interface ISecurityKeySource
{
    /// <summary>Another object once the keys have changed; null: there are none yet.</summary>
    SecurityKeySet? Current { get; }

    /// <summary>A message asked for keys that are not there. A hint: anybody's message causes it, so the source keeps
    /// its own pace.</summary>
    void RequestRefresh()
    {
    }
}
