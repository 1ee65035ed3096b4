using System.Diagnostics;
using System.Net;

namespace Gateway.Loadtest.Attacks.Logins;

/// <summary>Wrong passwords for one user from many addresses at once, over the door where each try costs the guesser
/// least: HTTP. 401 says that a password was checked, 429 that it was not. Beside it the user himself signs in, from an
/// address where he was right before.</summary>
internal sealed class PasswordGuessingAttack : Attack
{
    private const string User = "anna";
    private const string Right = "correct horse battery staple";

    /// <summary>Free ones, one by which a second place is seen, one a core that may be under way.</summary>
    private static readonly int FreeTries = 6 + Environment.ProcessorCount;

    /// <summary>No address of the guessers'.</summary>
    private const int AddressOfUser = 240;

    private static readonly TimeSpan UserEvery = TimeSpan.FromMilliseconds(250);

    private long _lookedAt;
    private long _refusedUnseen;
    private long _others;

    public override string Name => "password-guessing";

    public override string Summary =>
        "32 addresses with 1,000 guesses each at one user: one a second is looked at, the user signs in within 1 s.";

    public override string Rules => "R30, R14";

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments = [$"--Users:0:Name={User}", $"--Users:0:Password={Right}", "--Users:0:Roles:0=Operator"],
    };

    public override async Task RunAsync(AttackContext context)
    {
        using var user = BasicLogin.ClientOf(AddressOfUser);
        var page = new Uri(context.HttpUrl, "/api/v1/admission");
        if (await BasicLogin.AskAsync(user, page, User, Right, context.Cancellation) != HttpStatusCode.OK)
            context.Report.Fail("the user was not let in before the attack");

        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var guesses = context.Pick(full: 1_000, small: 50);
        var watch = Stopwatch.StartNew();
        var signingIn = SignInAsync(user, page, end.Token);
        await Task.WhenAll(Enumerable.Range(0, context.Pick(full: 32, small: 8)).Select(
            address => GuessAsync(address, guesses, page, context.Cancellation)));
        var seconds = watch.Elapsed.TotalSeconds;
        await end.CancelAsync();
        var (tries, failed, slowest) = await signingIn;

        context.Report.Add("guesses", _lookedAt + _refusedUnseen + _others);
        context.Report.Add("guesses looked at", _lookedAt);
        context.Report.Add("the same a second, after the first free ones",
            Math.Max(0, _lookedAt - FreeTries) / seconds);
        context.Report.Add("logins of the user himself", tries);
        context.Report.AddFault("logins of the user that were refused", failed);
        context.Report.Add("slowest login of the user", slowest, "s");
        if (_lookedAt > FreeTries + seconds + 1)
            context.Report.Fail("more than one guess a second was looked at");
        if (tries == 0)
            context.Report.Fail("the user did not try to sign in");
        if (context.IsFull && slowest > 1)
            context.Report.Fail("the user waited for more than a second");
    }

    private async Task GuessAsync(int address, int guesses, Uri page, CancellationToken cancellation)
    {
        using var client = BasicLogin.ClientOf(address);
        for (var i = 0; i < guesses; i++)
        {
            switch (await BasicLogin.AskAsync(client, page, User, $"guess {address} {i}", cancellation))
            {
                case HttpStatusCode.Unauthorized:
                    Interlocked.Increment(ref _lookedAt);
                    break;
                case HttpStatusCode.TooManyRequests:
                    Interlocked.Increment(ref _refusedUnseen);
                    break;
                default:
                    Interlocked.Increment(ref _others);
                    break;
            }
        }
    }

    private static async Task<(int Tries, int Failed, double Slowest)> SignInAsync(
        HttpClient client, Uri page, CancellationToken end)
    {
        var (tries, failed, slowest) = (0, 0, 0.0);
        while (!end.IsCancellationRequested)
        {
            var watch = Stopwatch.StartNew();
            // Not cut off by the end: its answer counts.
            var status = await BasicLogin.AskAsync(client, page, User, Right, CancellationToken.None);
            failed += status == HttpStatusCode.OK ? 0 : 1;
            slowest = Math.Max(slowest, watch.Elapsed.TotalSeconds);
            tries++;
            await Task.Delay(UserEvery, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        return (tries, failed, slowest);
    }
}
