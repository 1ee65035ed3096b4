namespace Gateway.Transport.Security;

/// <summary>One piece of private-key work. Exactly one of its members is called, once.</summary>
public interface IPrivateKeyWork
{
    /// <summary>On a worker of the lane. Must not throw.</summary>
    void Execute();

    /// <summary>It waited past the lane's deadline (its peer has given up) or the lane is closing; it was not served.
    /// </summary>
    void Expire();
}
