using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;

namespace Gateway.Transport.Security;

/// <summary>One piece of private-key work. Exactly one of its members is called, once, unless it is taken out of the
/// lane before.</summary>
public abstract class PrivateKeyWork : FairEntry
{
    /// <summary>On a worker of the lane. Must not throw.</summary>
    public abstract void Execute();

    /// <summary>It was not served. On any thread, outside all locks; must not throw.</summary>
    /// <param name="reason">It waited past the lane's deadline (its peer has given up), made room for one that goes
    /// first, or the lane is closing.</param>
    public abstract void Drop(RefusalReason reason);
}
