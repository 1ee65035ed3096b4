namespace Gateway.Host.Configuration;

/// <summary>One part of the configuration.</summary>
internal interface IOptionsSection
{
    /// <summary>All that is wrong with it, each with its key. Reads the part at the first call.</summary>
    IReadOnlyList<string> Errors { get; }

    void AddTo(IServiceCollection services);
}
