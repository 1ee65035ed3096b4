namespace Gateway.Tidy;

internal sealed record TidyException(string Rule, string Place, string Reason);
