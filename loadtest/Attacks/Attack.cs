namespace Gateway.Loadtest.Attacks;

/// <summary>
/// One way to hurt a gateway, as somebody on its network would try it. Made anew for each run, so that it may hold what
/// it prepares; disposed when the gateway has ended. Add a class here and a row in <see cref="AttackList"/>:
/// <c>loadtest attack</c> and <c>tests/Attacks</c> then run it.
/// </summary>
internal abstract class Attack : IAsyncDisposable
{
    /// <summary>As typed: <c>attack idle-http</c>.</summary>
    public abstract string Name { get; }

    /// <summary>One line: what the attacker does, and what must not happen.</summary>
    public abstract string Summary { get; }

    /// <summary>The rules (docs/rules.md) that it tries, as <c>R41, R05</c>.</summary>
    public abstract string Rules { get; }

    /// <summary>Makes the parts that must be there before the gateway starts: a hostile upstream, a folder.</summary>
    public virtual Task PrepareAsync(AttackSize size, CancellationToken cancellation) => Task.CompletedTask;

    /// <summary>How the gateway is started; asked for after <see cref="PrepareAsync"/>. On top of it come loopback
    /// ports, <c>--demo</c> and a PKI folder of its own.</summary>
    public virtual Plant PlantOf(AttackSize size) => new();

    /// <summary>The whole attack, from the first byte until the attacker has left. Bounded in time and count. The good
    /// client runs beside it; <see cref="AttackRun"/> makes the checks that are common to all attacks.</summary>
    public abstract Task RunAsync(AttackContext context);

    public virtual ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
