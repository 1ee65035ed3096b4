using Microsoft.Extensions.Options;

namespace Gateway.Host.Configuration;

/// <summary>One part of the configuration as <see cref="IOptions{T}"/>: immutable, read once, at the first use. The
/// runtime's binder would stop at the first value that it cannot read.</summary>
internal sealed class OptionsSection<T>(ConfigurationLayers layers, Func<SettingsReader, T> read)
    : IOptionsSection, IOptionsFactory<T>
    where T : class
{
    private readonly Lazy<(T Options, IReadOnlyList<string> Errors)> _section = new(() =>
    {
        var settings = new SettingsReader(layers);
        return (read(settings), settings.Errors);
    });

    public IReadOnlyList<string> Errors => _section.Value.Errors;

    public T Create(string name) => Errors.Count == 0
        ? _section.Value.Options
        : throw new OptionsValidationException(name, typeof(T), Errors);

    /// <summary>Parts take the options themselves: these never change.</summary>
    public void AddTo(IServiceCollection services)
    {
        services.AddSingleton<IOptionsFactory<T>>(this);
        services.AddOptions<T>().ValidateOnStart();
        services.AddSingleton(static of => of.GetRequiredService<IOptions<T>>().Value);
    }
}
