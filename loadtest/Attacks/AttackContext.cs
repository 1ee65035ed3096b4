using Gateway.Loadtest.Machine;
using Gateway.Loadtest.Reports;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks;

/// <summary>The tools of an attack.</summary>
internal sealed class AttackContext(RunContext run, AttackSize size)
{
    /// <summary>Of the gateway under attack. Attackers use source addresses of their own (127.200.x.y, see
    /// <see cref="WireTarget"/>), so that a defence by address does not hit the good client.</summary>
    public RunContext Run => run;

    public AttackSize Size => size;

    public bool IsFull => size == AttackSize.Full;

    public Report Report => run.Report;

    public CancellationToken Cancellation => run.Cancellation;

    /// <summary>The gateway's process.</summary>
    public ProcessProbe Server =>
        run.Server ?? throw new InvalidOperationException("an attack needs a gateway that this run started");

    /// <summary>Where <c>/livez</c> and <c>/api/v1</c> are.</summary>
    public Uri HttpUrl =>
        new(run.HttpUrl ?? throw new InvalidOperationException("an attack needs a gateway that this run started"));

    public int Pick(int full, int small) => IsFull ? full : small;
}
