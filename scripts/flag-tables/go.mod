module sno-install.test/flag-tables

go 1.24
