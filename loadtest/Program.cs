using Gateway.Loadtest;

// Before the first socket: completions run on the event threads, as in the gateway.
Environment.SetEnvironmentVariable("DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS", "1");
return await CommandLine.Build(Console.Out).Parse(args).InvokeAsync();
