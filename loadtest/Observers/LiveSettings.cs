namespace Gateway.Loadtest.Observers;

/// <summary>The settings of a live observer, as JSON on its standard input.</summary>
internal sealed record LiveSettings
{
    /// <summary>With the Url of the running server.</summary>
    public RunOptions Run { get; init; } = new();

    /// <summary>Apart, because the options' own JSON keeps it out of the reports.</summary>
    public string? Password { get; init; }

    public int Sessions { get; init; } = 2000;

    /// <summary>Of each session's one subscription.</summary>
    public int Items { get; init; } = 1;

    public double IntervalMs { get; init; } = 1000;

    public int Tags { get; init; } = 1000;

    /// <summary>The sessions are spread over so many source addresses, and over so many certificates.</summary>
    public int Addresses { get; init; } = 200;

    public int Certificates { get; init; } = 20;

    /// <summary>For learning the grid of publishing cycles, after the last session has its subscription.</summary>
    public double SettleSeconds { get; init; } = 5;

    /// <summary>Each session reads one value this often; 0: none does.</summary>
    public int ReadEveryMs { get; init; }

    /// <summary>A newcomer begins to connect this often, with an address and a certificate of its own; 0: none.
    /// </summary>
    public int NewcomerEveryMs { get; init; }

    /// <summary>Of one attempt; then it comes back.</summary>
    public int NewcomerPatienceMs { get; init; } = 10_000;
}
