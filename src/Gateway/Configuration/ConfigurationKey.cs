namespace Gateway.Host.Configuration;

/// <summary>One key as an operator may write it.</summary>
/// <param name="Name">Its path; N stands for the place in a list.</param>
/// <param name="Default">What holds without it.</param>
/// <param name="Meaning">A short sentence.</param>
internal sealed record ConfigurationKey(string Name, string Default, string Meaning);
