using System.CommandLine;

namespace Gateway.Loadtest.Attacks;

/// <summary>One attack of the list against a gateway of the run's own, with the good client beside it.</summary>
internal sealed class AttackScenario : Scenario
{
    public const string All = "all";

    public static readonly Argument<string> Which = new("name")
    {
        Description = "The attack; all: one after the other.",
        DefaultValueFactory = _ => All,
    };

    public static readonly Option<string> Size = Text("--size", "full", "full, or small as in CI.");

    public static readonly Option<int> Live = Number(
        "--live", 5, "Good sessions on addresses of their own: a subscription of 10 items at 100 ms each.", 1, 1000);

    public static readonly Option<int> ReadEvery = Number(
        "--read-every", 100, "Each good session reads one value this often, ms.", 1, 60_000);

    public static readonly Option<int> Newcomer = Number(
        "--newcomer", 500, "A well-behaved newcomer comes this often, ms.", 50, 60_000);

    public override string Name => "attack";

    public override string Summary => "What an attacker on the network tries, with a good client beside it.";

    public override string Description =>
        $"""
        loadtest attack NAME [--size small]. The gateway is always one that this run starts.

        {string.Join("\n", AttackList.All.Select(attack => $"{attack.Name,-24} {attack.Summary} ({attack.Rules})"))}

        Checked for every attack: the process lives; the good sessions lose, repeat and reorder nothing and never
        reconnect; none of their Reads fails; every newcomer becomes active; no stack trace in the log, and at most
        1 MiB of it a minute; sessions, subscriptions, descriptors and memory are back when the attacker has left. At
        full size also: Read p99 at most 50 ms, newcomers active and health answered within a second (times of a machine
        that makes 2,763 RSA-2048 signatures a second; a slower one has more), memory back within 10 % after 30 s; a
        small size allows memory more, by a fixed amount, and a minute.
        Exit code 1: one of these does not hold, or a check of the attack's own.
        """;

    public override IReadOnlyList<Argument> Arguments => [Which];

    public override IReadOnlyList<Option> Options => [Size, Live, ReadEvery, Newcomer];

    public override bool StartsServers => true;

    public override IEnumerable<string> Validate(ScenarioValues values)
    {
        var name = values.Text(Which);
        if (name != All && AttackList.Find(name) is null)
            yield return $"there is no attack {name}; there are: {string.Join(", ", AttackList.Names)}";
        if (!Enum.TryParse<AttackSize>(values.Get(Size), ignoreCase: true, out _))
            yield return $"--size is neither full nor small: {values.Get(Size)}";
    }

    public override async Task RunAsync(RunContext context)
    {
        if (context.Options.Url is not null)
            throw new InvalidOperationException("attacks are only for a gateway that this run starts: leave --url out");
        var size = Enum.Parse<AttackSize>(context.Get(Size), ignoreCase: true);
        var name = context.Get(Which);
        foreach (var attack in AttackList.All.Where(attack => name == All || attack.Name == name))
        {
            await using (attack)
            {
                context.Report.BeginColumn(attack.Name);
                await new AttackRun(context, this, attack, size).RunAsync();
            }
        }
    }
}
